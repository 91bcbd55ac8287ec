//! Types that are read straight from the text of a document, and their forms that borrow from it.

use std::borrow::Cow;

use super::field::FieldType;
use crate::json::{MAX_SAFE_INTEGER, RawObject, RawValue};
use crate::validate::{Direct, DirectReader};
use crate::{Object, Value};

/// The form of a member that borrows from a document: a [`Cow`] for a string, a [`RawValue`] or [`RawObject`] for a free value, a type like
/// [`EventRef`](crate::types::EventRef) for an object; options and lists of these.
///
/// ```
/// use ag_ui_native::types::{Borrowed, TextMessageEndEvent};
/// use ag_ui_native::{Profile, borrow_json};
///
/// let json = r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#;
/// let (event, _): (Borrowed<'_, TextMessageEndEvent>, _) =
///     borrow_json::<TextMessageEndEvent>(json, Profile::Strict)?;
/// assert_eq!(event.message_id, "m1");
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
pub type Borrowed<'a, T> = <T as FieldType>::Borrowed<'a>;

impl Direct<'_> for String {
    fn read(reader: &mut DirectReader<'_, '_>) -> Option<Self> {
        reader.string().map(str::to_owned)
    }
}

impl<'a> Direct<'a> for Cow<'a, str> {
    fn read(reader: &mut DirectReader<'a, '_>) -> Option<Self> {
        reader.text()
    }
}

impl Direct<'_> for bool {
    fn read(reader: &mut DirectReader<'_, '_>) -> Option<Self> {
        reader.bool()
    }
}

impl Direct<'_> for i64 {
    fn read(reader: &mut DirectReader<'_, '_>) -> Option<Self> {
        reader.int(-MAX_SAFE_INTEGER)
    }
}

impl Direct<'_> for u64 {
    fn read(reader: &mut DirectReader<'_, '_>) -> Option<Self> {
        reader.int(0).map(i64::unsigned_abs)
    }
}

impl Direct<'_> for Value {
    fn read(reader: &mut DirectReader<'_, '_>) -> Option<Self> {
        reader.free()
    }
}

impl Direct<'_> for Object {
    fn read(reader: &mut DirectReader<'_, '_>) -> Option<Self> {
        match reader.free()? {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }
}

impl<'a> Direct<'a> for RawValue<'a> {
    fn read(reader: &mut DirectReader<'a, '_>) -> Option<Self> {
        reader.raw()
    }
}

impl<'a> Direct<'a> for RawObject<'a> {
    fn read(reader: &mut DirectReader<'a, '_>) -> Option<Self> {
        if reader.peek() == Some(b'{') { reader.raw().map(Self::checked) } else { None }
    }
}

impl<'a, T: Direct<'a>> Direct<'a> for Option<T> {
    const ABSENT: Option<Self> = Some(None);

    fn read(reader: &mut DirectReader<'a, '_>) -> Option<Self> {
        // `null` is left to the general path, which knows the rule about it.
        if reader.peek() == Some(b'n') { None } else { T::read(reader).map(Some) }
    }
}

impl<'a, T: Direct<'a>> Direct<'a> for Box<T> {
    fn read(reader: &mut DirectReader<'a, '_>) -> Option<Self> {
        T::read(reader).map(Self::new)
    }
}

impl<'a, T: Direct<'a>> Direct<'a> for Vec<T> {
    fn read(reader: &mut DirectReader<'a, '_>) -> Option<Self> {
        reader.list()
    }
}

/// Declares the reading of an object type, or of its borrowed form.
macro_rules! direct_object {
    (
        [$($target:tt)+] $module:ident; $(open $open:ident;)?
        $($(#[doc = $bdoc:literal])+ $bfield:ident: $bty:ty = $bwire:literal, $bnum:literal $(or $balt:literal)? $(min $bmin:literal)? $(read $bread:ident)? $(as $bas:ident)? $(since $bsince:literal)? $(about $babout:ident)?;)*
        $(
            @ $tfield:ident $tname:literal = $tag:literal, $tnum:literal;
            $($(#[doc = $adoc:literal])+ $afield:ident: $aty:ty = $awire:literal, $anum:literal $(or $aalt:literal)? $(min $amin:literal)? $(read $aread:ident)? $(as $aas:ident)? $(since $asince:literal)? $(about $aabout:ident)?;)*
        )?
    ) => {
        impl<'a> crate::schema::Direct<'a> for $($target)+ {
            fn read(reader: &mut crate::validate::DirectReader<'a, '_>) -> Option<Self> {
                let mut object = reader.object()?;
                $(let $bfield = object.field(concat!("\"", $bwire, "\":"))?;)*
                $(
                    object.tag(concat!("\"", $tname, "\":"), $tag)?;
                    $(let $afield = object.field(concat!("\"", $awire, "\":"))?;)*
                )?
                object.end()?;
                let made = Self { $($bfield,)* $($($afield,)*)? extra: Default::default() };
                let is_unusual = matches!(crate::schema::Module::$module, crate::schema::Module::Deprecated)
                    $($(|| made.$bfield.len() < $bmin)?)*
                    $($(|| made.$bfield.is_none() && reader.fills(stringify!($bread)))?)*
                    $($(|| made.$bfield.is_some() && made.$babout.is_none())?)*
                    $(
                        $($(|| made.$afield.len() < $amin)?)*
                        $($(|| made.$afield.is_none() && reader.fills(stringify!($aread)))?)*
                        $($(|| made.$afield.is_some() && made.$aabout.is_none())?)*
                    )?;
                (!is_unusual).then_some(made)
            }
        }
    };
}

/// Declares the borrowed form of an object type.
macro_rules! borrowed_object {
    (
        $(#[$hidden:meta])? $name:ident, $borrowed:ident; $(open $open:ident;)?
        $($(#[doc = $bdoc:literal])+ $bfield:ident: $bty:ty = $bwire:literal, $bnum:literal $(or $balt:literal)? $(min $bmin:literal)? $(read $bread:ident)? $(as $bas:ident)? $(since $bsince:literal)? $(about $babout:ident)?;)*
        $(
            @ $tfield:ident $tname:literal = $tag:literal, $tnum:literal;
            $($(#[doc = $adoc:literal])+ $afield:ident: $aty:ty = $awire:literal, $anum:literal $(or $aalt:literal)? $(min $amin:literal)? $(read $aread:ident)? $(as $aas:ident)? $(since $asince:literal)? $(about $aabout:ident)?;)*
        )?
    ) => {
        #[doc = concat!("[`", stringify!($name), "`] with texts that are borrowed from a document.")]
        #[doc = borrowed_example!($name)]
        $(#[$hidden])?
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $borrowed<'a> {
            $($(#[doc = $bdoc])+ pub $bfield: crate::schema::Borrowed<'a, $bty>,)*
            $($($(#[doc = $adoc])+ pub $afield: crate::schema::Borrowed<'a, $aty>,)*)?
            /// Members the protocol does not declare; filled by the `relay` profile.
            pub extra: std::borrow::Cow<'a, crate::Object>,
        }

        borrowed_form!($name, $borrowed);

        impl From<$name> for $borrowed<'_> {
            fn from(value: $name) -> Self {
                let $name { $($bfield,)* $($($afield,)*)? extra } = value;
                $(let $bfield = crate::schema::FieldType::into_borrowed($bfield);)*
                $($(let $afield = crate::schema::FieldType::into_borrowed($afield);)*)?
                Self { $($bfield,)* $($($afield,)*)? extra: std::borrow::Cow::Owned(extra) }
            }
        }

        impl From<$borrowed<'_>> for $name {
            fn from(value: $borrowed<'_>) -> Self {
                let $borrowed { $($bfield,)* $($($afield,)*)? extra } = value;
                $(let $bfield = crate::schema::FieldType::from_borrowed($bfield);)*
                $($(let $afield = crate::schema::FieldType::from_borrowed($afield);)*)?
                Self { $($bfield,)* $($($afield,)*)? extra: extra.into_owned() }
            }
        }
    };
}

/// Declares what every borrowed form can do.
macro_rules! borrowed_form {
    ($name:ident, $borrowed:ident) => {
        impl $borrowed<'_> {
            #[doc = concat!("Makes the [`", stringify!($name), "`] that owns its texts.")]
            pub fn into_owned(self) -> $name {
                self.into()
            }
        }
    };
}

/// The items of [`FieldType`] about the borrowed form of a declared type.
macro_rules! borrowed_type {
    ($name:ident) => {
        pastey::paste! {
            type Borrowed<'a> = [<$name Ref>]<'a>;
        }

        fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
            self.into()
        }

        fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
            borrowed.into()
        }
    };
}

/// Declares the reading of a union, and its borrowed form.
macro_rules! borrowed_union {
    ($name:ident { $($variant:ident($ty:ident) = $value:literal,)+ }) => {
        pastey::paste! {
            #[doc = concat!("[`", stringify!($name), "`] with texts that are borrowed from a document.")]
            #[doc = borrowed_example!($name)]
            #[derive(Clone, Debug, PartialEq)]
            #[non_exhaustive]
            pub enum [<$name Ref>]<'a> {
                $(#[doc = concat!("`", $value, "`")] $variant([<$ty Ref>]<'a>),)+
                /// A variant that this version does not declare; only the profile `relay` keeps it.
                Unknown(crate::Object),
            }

            borrowed_form!($name, [<$name Ref>]);

            impl From<$name> for [<$name Ref>]<'_> {
                fn from(value: $name) -> Self {
                    match value {
                        $($name::$variant(value) => Self::$variant(value.into()),)+
                        $name::Unknown(object) => Self::Unknown(object),
                    }
                }
            }

            impl From<[<$name Ref>]<'_>> for $name {
                fn from(value: [<$name Ref>]<'_>) -> Self {
                    match value {
                        $([<$name Ref>]::$variant(value) => Self::$variant(value.into()),)+
                        [<$name Ref>]::Unknown(object) => Self::Unknown(object),
                    }
                }
            }

            direct_union! { [$name] $name { $($variant($ty) = $value,)+ } }
            direct_union! { [[<$name Ref>]<'a>] $name { $($variant([<$ty Ref>]<'a>) = $value,)+ } }
        }
    };
}

/// Declares the reading of a union, or of its borrowed form.
macro_rules! direct_union {
    ([$($target:tt)+] $name:ident { $($variant:ident($ty:ty) = $value:literal,)+ }) => {
        impl<'a> crate::schema::Direct<'a> for $($target)+ {
            fn read(reader: &mut crate::validate::DirectReader<'a, '_>) -> Option<Self> {
                type Read<'a, T> = fn(&mut crate::validate::DirectReader<'a, '_>) -> Option<T>;
                let read: Read<'a, Self> = match reader.tag($name::UNION.tag)? {
                    $($value => |reader| <$ty as crate::schema::Direct<'a>>::read(reader).map(Self::$variant),)+
                    _ => return None,
                };
                read(reader)
            }
        }
    };
}
