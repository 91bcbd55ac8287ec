//! Constructors and setters of the protocol types.

/// Gives a type `new`, which takes the required members, and a `with_...` for each optional member. It reads the lines
/// of a declaration (see [`declare`](super::declare)); the first list holds the required members read so far.
///
/// Lists, numbers and booleans are taken directly, so literals need no suffix; other values are taken by `Into`.
macro_rules! builder {
    ($name:ident [$($required:tt)*] $(#[$doc:meta])+ $field:ident: Option<Vec<$item:ident>> = $wire:literal, $number:literal $($rule:ident $setting:tt)*; $($rest:tt)*) => {
        builder!(@with $name [$(#[$doc])+] $field, Vec<$item>, $field);
        builder!($name [$($required)*] $($rest)*);
    };
    ($name:ident [$($required:tt)*] $(#[$doc:meta])+ $field:ident: Option<Box<$ty:ident>> = $wire:literal, $number:literal $($rule:ident $setting:tt)*; $($rest:tt)*) => {
        builder!(@with $name [$(#[$doc])+] $field, impl Into<$ty>, Box::new($field.into()));
        builder!($name [$($required)*] $($rest)*);
    };
    ($name:ident [$($required:tt)*] $(#[$doc:meta])+ $field:ident: Option<bool> = $wire:literal, $number:literal $($rule:ident $setting:tt)*; $($rest:tt)*) => {
        builder!(@with $name [$(#[$doc])+] $field, bool, $field);
        builder!($name [$($required)*] $($rest)*);
    };
    ($name:ident [$($required:tt)*] $(#[$doc:meta])+ $field:ident: Option<i64> = $wire:literal, $number:literal $($rule:ident $setting:tt)*; $($rest:tt)*) => {
        builder!(@with $name [$(#[$doc])+] $field, i64, $field);
        builder!($name [$($required)*] $($rest)*);
    };
    ($name:ident [$($required:tt)*] $(#[$doc:meta])+ $field:ident: Option<u64> = $wire:literal, $number:literal $($rule:ident $setting:tt)*; $($rest:tt)*) => {
        builder!(@with $name [$(#[$doc])+] $field, u64, $field);
        builder!($name [$($required)*] $($rest)*);
    };
    ($name:ident [$($required:tt)*] $(#[$doc:meta])+ $field:ident: Option<$($ty:ident)::+> = $wire:literal, $number:literal $($rule:ident $setting:tt)*; $($rest:tt)*) => {
        builder!(@with $name [$(#[$doc])+] $field, impl Into<$($ty)::+>, $field.into());
        builder!($name [$($required)*] $($rest)*);
    };
    ($name:ident [$($required:tt)*] $(#[$doc:meta])+ $field:ident: Vec<$item:ident> = $wire:literal, $number:literal $($rule:ident $setting:tt)*; $($rest:tt)*) => {
        builder!($name [$($required)* {$field, Vec<$item>, $field}] $($rest)*);
    };
    ($name:ident [$($required:tt)*] $(#[$doc:meta])+ $field:ident: $($ty:ident)::+ = $wire:literal, $number:literal $($rule:ident $setting:tt)*; $($rest:tt)*) => {
        builder!($name [$($required)* {$field, impl Into<$($ty)::+>, $field.into()}] $($rest)*);
    };
    // The tag is a constant of the type, so `new` does not take it.
    ($name:ident [$($required:tt)*] @ $field:ident $wire:literal = $tag:literal, $number:literal; $($rest:tt)*) => {
        builder!($name [$($required)*] $($rest)*);
    };
    ($name:ident [$($required:tt)*] open $open:ident; $($rest:tt)*) => {
        builder!($name [$($required)*] $($rest)*);
    };
    ($name:ident [$({$field:ident, $given:ty, $value:expr})*]) => {
        impl $name {
            /// Makes a value of the required members; the optional ones are absent.
            #[must_use]
            pub fn new($($field: $given),*) -> Self {
                Self { $($field: $value,)* ..Self::default() }
            }
        }
    };
    (@with $name:ident [$(#[$doc:meta])+] $field:ident, $given:ty, $value:expr) => {
        pastey::paste! {
            impl $name {
                $(#[$doc])+
                #[must_use]
                pub fn [<with_ $field>](mut self, $field: $given) -> Self {
                    self.$field = Some($value);
                    self
                }
            }
        }
    };
}
