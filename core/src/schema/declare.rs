//! The macros in which the protocol is declared.
//!
//! ```text
//! event! {
//!     /// Documentation of the event.
//!     TextMessageStartEvent = "TEXT_MESSAGE_START", arm 1, slot 0, attributed 5;
//!     /// Documentation of the member.
//!     message_id: String = "messageId", 2;
//!     role: Option<TextMessageRole> = "role", 3;
//! }
//! ```
//!
//! A member line reads: Rust and Python name, Rust type, wire key, protobuf field number. The Rust type gives the
//! rest: `Option` is an optional member, `i64` an integer within ±(2^53-1), `u64` one from 0, `Value` any JSON,
//! `Object` a free JSON object, `Vec` a list. After the number there may be `or N` (the number used when content is a
//! list of parts), `min N` (fewest list items), `read RULE` (an [`OnRead`](super::OnRead) rule) and `as FORM`
//! ([`Carried`](super::Carried) by protobuf), `since 1.1` (the first version of the protocol with the member, if that is not 1.0) and
//! `about MEMBER` (it describes the member before it, and is allowed only together with that member). A union's tag
//! is followed by its form in protobuf: a [`Form`](super::Form).

/// Declares one event. The members that all events share come first.
macro_rules! event {
    ($(#[doc = $doc:literal])+ $name:ident = $tag:literal, arm $arm:literal, slot $slot:literal, attributed $att:literal; $($rest:tt)*) => {
        protocol_type! {
            [$($doc)+] $name, Events, crate::schema::Role::Event { arm: $arm, slot: $slot };
            @ r#type "type" = $tag, 1;
            #[doc = "Time of creation, in milliseconds since the Unix epoch by convention."]
            timestamp: Option<i64> = "timestamp", 0;
            #[doc = "The provider's own event this one was made from, untouched."]
            raw_event: Option<crate::Value> = "rawEvent", 0;
            #[doc = "Free key-value data about the event; the key `ag-ui` is reserved."]
            metadata: Option<crate::Object> = "metadata", 0;
            #[doc = "The subagent invocation the event belongs to; absent means the agent itself."]
            subagent_run_id: Option<String> = "subagentRunId", $att;
            $($rest)*
        }
    };
    ($(#[doc = $doc:literal])+ $name:ident = $tag:literal, arm $arm:literal, slot $slot:literal; $($rest:tt)*) => {
        protocol_type! {
            [$($doc)+] $name, Events, crate::schema::Role::Event { arm: $arm, slot: $slot };
            @ r#type "type" = $tag, 1;
            #[doc = "Time of creation, in milliseconds since the Unix epoch by convention."]
            timestamp: Option<i64> = "timestamp", 0;
            #[doc = "The provider's own event this one was made from, untouched."]
            raw_event: Option<crate::Value> = "rawEvent", 0;
            #[doc = "Free key-value data about the event; the key `ag-ui` is reserved."]
            metadata: Option<crate::Object> = "metadata", 0;
            $($rest)*
        }
    };
}

/// Declares one message.
macro_rules! message {
    ($(#[doc = $doc:literal])+ $name:ident; $($rest:tt)*) => {
        protocol_type! { [$($doc)+] $name, Types, crate::schema::Role::Message; $($rest)* }
    };
}

/// Declares any other object type, in the named module.
macro_rules! object {
    (Deprecated; $(#[doc = $doc:literal])+ $name:ident; $($rest:tt)*) => {
        protocol_type! { [$($doc)+] #[doc(hidden)] $name, Deprecated, crate::schema::Role::Part; $($rest)* }
    };
    ($module:ident; $(#[doc = $doc:literal])+ $name:ident; $($rest:tt)*) => {
        protocol_type! { [$($doc)+] $name, $module, crate::schema::Role::Part; $($rest)* }
    };
}

/// Declares members that several types share (a base class in Python).
macro_rules! shared {
    ($module:ident; $(#[doc = $doc:literal])+ $name:ident; $($rest:tt)*) => {
        protocol_type! { [$($doc)+] #[doc(hidden)] $name, $module, crate::schema::Role::Shared; $($rest)* }
    };
}

/// Declares the struct of an object type and its builder.
macro_rules! protocol_type {
    ([$($doc:literal)+] $(#[$hidden:meta])? $name:ident, $module:ident, $role:expr; $($members:tt)*) => {
        struct_of! { [$($doc)+] $(#[$hidden])? $name, $module, $role; $($members)* }
        builder! { $name [] $($members)* }
        pastey::paste! {
            borrowed_object! { $(#[$hidden])? $name, [<$name Ref>]; $($members)* }
            direct_object! { [$name] $module; $($members)* }
            direct_object! { [[<$name Ref>]<'a>] $module; $($members)* }
        }
    };
}

/// Declares a struct, its description, and the functions that make it from members and write it.
macro_rules! struct_of {
    (
        [$($doc:literal)+] $(#[$hidden:meta])? $name:ident, $module:ident, $role:expr; $(open $open:ident;)?
        $($(#[doc = $bdoc:literal])+ $bfield:ident: $bty:ty = $bwire:literal, $bnum:literal $(or $balt:literal)? $(min $bmin:literal)? $(read $bread:ident)? $(as $bas:ident)? $(since $bsince:literal)? $(about $babout:ident)?;)*
        $(
            @ $tfield:ident $tname:literal = $tag:literal, $tnum:literal;
            $($(#[doc = $adoc:literal])+ $afield:ident: $aty:ty = $awire:literal, $anum:literal $(or $aalt:literal)? $(min $amin:literal)? $(read $aread:ident)? $(as $aas:ident)? $(since $asince:literal)? $(about $aabout:ident)?;)*
        )?
    ) => {
        $(#[doc = $doc])+
        #[doc = example!($name)]
        $(#[$hidden])?
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[doc = $bdoc])+ pub $bfield: $bty,)*
            $($($(#[doc = $adoc])+ pub $afield: $aty,)*)?
            /// Members the protocol does not declare; filled by the `relay` profile and written after the others.
            pub extra: crate::Object,
        }

        impl $name {
            #[doc(hidden)]
            /// The type's description. It is a static, so it has one address, by which readers compare types.
            pub const TYPE: &'static crate::schema::TypeDef = {
                const FIELDS: &[crate::schema::FieldDef] = &[
                    $(crate::schema::FieldDef {
                        name: crate::schema::field::attribute(stringify!($bfield)),
                        wire: $bwire,
                        key: concat!("\"", $bwire, "\":"),
                        kind: <$bty as crate::schema::FieldType>::KIND,
                        presence: <$bty as crate::schema::FieldType>::PRESENCE,
                        number: $bnum,
                        parts_number: 0 $(+ $balt)?,
                        min_items: 0 $(+ $bmin)?,
                        on_read: crate::schema::field::on_read(stringify!($($bread)?)),
                        carried: crate::schema::field::carried(stringify!($($bas)?)),
                        since: crate::schema::field::since(stringify!($($bsince)?)),
                        about: crate::schema::field::about(stringify!($($babout)?)),
                        doc: concat!($($bdoc, "\n"),+),
                    },)*
                    $(
                        crate::schema::FieldDef {
                            name: $tname,
                            wire: $tname,
                            key: concat!("\"", $tname, "\":"),
                            kind: crate::schema::Kind::Literal($tag),
                            presence: crate::schema::Presence::Required,
                            number: $tnum,
                            parts_number: 0,
                            min_items: 0,
                            on_read: crate::schema::OnRead::Keep,
                            carried: crate::schema::Carried::Plainly,
                            since: crate::schema::field::since(""),
                            about: None,
                            doc: concat!("Always `", $tag, "`."),
                        },
                        $(crate::schema::FieldDef {
                            name: crate::schema::field::attribute(stringify!($afield)),
                            wire: $awire,
                            key: concat!("\"", $awire, "\":"),
                            kind: <$aty as crate::schema::FieldType>::KIND,
                            presence: <$aty as crate::schema::FieldType>::PRESENCE,
                            number: $anum,
                            parts_number: 0 $(+ $aalt)?,
                            min_items: 0 $(+ $amin)?,
                            on_read: crate::schema::field::on_read(stringify!($($aread)?)),
                            carried: crate::schema::field::carried(stringify!($($aas)?)),
                            since: crate::schema::field::since(stringify!($($asince)?)),
                            about: crate::schema::field::about(stringify!($($aabout)?)),
                            doc: concat!($($adoc, "\n"),+),
                        },)*
                    )?
                ];
                static TYPE: crate::schema::TypeDef = crate::schema::TypeDef {
                    name: stringify!($name),
                    doc: concat!($($doc, "\n"),+),
                    module: crate::schema::Module::$module,
                    role: $role,
                    open: false $(|| stringify!($open).len() > 0)?,
                    fields: FIELDS,
                    required: crate::schema::required_and_filled(FIELDS).0,
                    filled: crate::schema::required_and_filled(FIELDS).1,
                    about: crate::schema::about_the_one_before(FIELDS),
                };
                &TYPE
            };
        }

        impl crate::schema::FieldType for $name {
            const KIND: crate::schema::Kind = crate::schema::Kind::Object(Self::TYPE);

            borrowed_type!($name);

            fn from_validated(value: Option<crate::schema::Validated>) -> Self {
                match value {
                    Some(crate::schema::Validated::Record(record)) => crate::schema::Typed::from_record(record),
                    _ => Self::default(),
                }
            }

            fn write(&self, writer: &mut crate::json::Writer) {
                crate::schema::Typed::write(self, writer);
            }
        }

        impl crate::schema::Typed for $name {
            const TYPE_DEF: &'static crate::schema::TypeDef = Self::TYPE;

            fn from_record(record: crate::schema::Record) -> Self {
                let mut members = record.members.into_iter();
                $(let $bfield = crate::schema::field::take(&mut members);)*
                $(
                    let _tag: Option<crate::schema::Validated> = members.next().flatten();
                    $(let $afield = crate::schema::field::take(&mut members);)*
                )?
                Self { $($bfield,)* $($($afield,)*)? extra: record.extra }
            }

            fn write(&self, writer: &mut crate::json::Writer) {
                let mut object = writer.object();
                $(object.field(concat!("\"", $bwire, "\":"), &self.$bfield);)*
                $(
                    object.raw(concat!("\"", $tname, "\":\"", $tag, "\""));
                    $(object.field(concat!("\"", $awire, "\":"), &self.$afield);)*
                )?
                object.extra(&self.extra);
                object.end();
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut object = serializer.serialize_map(None)?;
                $(crate::schema::field::serialize(&mut object, $bwire, &self.$bfield)?;)*
                $(
                    serde::ser::SerializeMap::serialize_entry(&mut object, $tname, $tag)?;
                    $(crate::schema::field::serialize(&mut object, $awire, &self.$afield)?;)*
                )?
                for (key, value) in &self.extra {
                    serde::ser::SerializeMap::serialize_entry(&mut object, key, value)?;
                }
                serde::ser::SerializeMap::end(object)
            }
        }
    };
}

/// Declares a closed set of strings. `.. Unknown` after them is for a set in a required member: there the profile `relay` keeps an
/// undeclared string among the undeclared members.
macro_rules! string_enum {
    (
        $module:ident;
        $(#[doc = $doc:literal])+ $name:ident {
            $($(#[doc = $vdoc:literal])+ $variant:ident = $value:literal,)+
            $(.. $unknown:ident)?
        }
    ) => {
        $(#[doc = $doc])+
        #[doc = example!($name)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $vdoc])+ $variant,)+
            $(
                /// A string that this version does not declare; only the profile `relay` keeps it, in `extra`.
                $unknown,
            )?
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl $name {
            #[doc(hidden)]
            /// The set's description.
            pub const ENUM: &'static crate::schema::EnumDef = {
                static ENUM: crate::schema::EnumDef = crate::schema::EnumDef {
                    name: stringify!($name),
                    doc: concat!($($doc, "\n"),+),
                    module: crate::schema::Module::$module,
                    values: &[$($value),+],
                };
                &ENUM
            };
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The value of a required member whose string is undeclared.
            const OTHER: Self = [$(Self::$unknown,)? $(Self::$variant),+][0];

            /// Returns the string on the wire; empty if it is an unknown one.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $value,)+ $(Self::$unknown => "",)? }
            }

            /// Returns the value that `text` spells.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($value => Some(Self::$variant),)+ _ => None }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        impl crate::schema::Direct<'_> for $name {
            fn read(reader: &mut crate::validate::DirectReader<'_, '_>) -> Option<Self> {
                reader.choice(Self::ENUM.values).map(|index| Self::ALL[index])
            }
        }

        impl crate::schema::FieldType for $name {
            const KIND: crate::schema::Kind = crate::schema::Kind::Enum(Self::ENUM);

            type Borrowed<'a> = Self;

            fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
                self
            }

            fn from_borrowed(borrowed: Self) -> Self {
                borrowed
            }

            fn from_validated(value: Option<crate::schema::Validated>) -> Self {
                match value {
                    Some(crate::schema::Validated::Choice(index)) => Self::ALL[index],
                    _ => Self::OTHER,
                }
            }

            $(
                fn is_absent(&self) -> bool {
                    matches!(self, Self::$unknown)
                }
            )?

            fn write(&self, writer: &mut crate::json::Writer) {
                writer.text(self.as_str());
            }
        }
    };
}

/// Declares a union: object types that the string under one key distinguishes.
macro_rules! union {
    ($module:ident; $(#[doc = $doc:literal])+ $name:ident by $tag:literal as $form:ident { $($variant:ident($ty:ident) = $value:literal,)+ }) => {
        $(#[doc = $doc])+
        #[doc = example!($name)]
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = concat!("`", $value, "`")] $variant($ty),)+
            /// A variant that this version does not declare; only the profile `relay` keeps it.
            Unknown(crate::Object),
        }

        impl $name {
            #[doc(hidden)]
            /// The union's description.
            pub const UNION: &'static crate::schema::UnionDef = {
                static UNION: crate::schema::UnionDef = crate::schema::UnionDef {
                    name: stringify!($name),
                    doc: concat!($($doc, "\n"),+),
                    module: crate::schema::Module::$module,
                    tag: $tag,
                    form: crate::schema::Form::$form,
                    variants: &[$(crate::schema::Variant { tag: $value, ty: $ty::TYPE }),+],
                };
                &UNION
            };

            /// Returns the tag's value; empty if an unknown variant has none.
            pub fn tag(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $value,)+
                    Self::Unknown(object) => object.get($tag).and_then(crate::Value::as_str).unwrap_or_default(),
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Unknown(crate::Object::default())
            }
        }

        impl crate::schema::FieldType for $name {
            const KIND: crate::schema::Kind = crate::schema::Kind::Union(Self::UNION);

            borrowed_type!($name);

            fn from_validated(value: Option<crate::schema::Validated>) -> Self {
                match value {
                    Some(crate::schema::Validated::Record(record)) => {
                        $(if std::ptr::eq(record.ty, $ty::TYPE) {
                            return Self::$variant(crate::schema::Typed::from_record(record));
                        })+
                        Self::Unknown(record.extra)
                    }
                    Some(crate::schema::Validated::Unknown(object)) => Self::Unknown(object),
                    _ => Self::default(),
                }
            }

            fn write(&self, writer: &mut crate::json::Writer) {
                match self {
                    $(Self::$variant(value) => crate::schema::Typed::write(value, writer),)+
                    Self::Unknown(object) => crate::schema::FieldType::write(object, writer),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(value) => value.serialize(serializer),)+
                    Self::Unknown(object) => object.serialize(serializer),
                }
            }
        }

        $(impl From<$ty> for $name {
            fn from(value: $ty) -> Self {
                Self::$variant(value)
            }
        })+

        borrowed_union! { $name { $($variant($ty) = $value,)+ } }
    };
}
