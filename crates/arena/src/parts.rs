//! Lists of interchangeable parts of an experiment, such as schedules and scorings. Each part is a file that describes
//! itself, and a name in its list.

/// Makes the enum of all parts of a kind from the list of their types. Every type has an `INFO`. In experiments, a part
/// is the table with its name in kebab case.
macro_rules! parts {
    ($(#[$about:meta])* $config:ident, $contract:ident, $info:ident: $($name:ident($part:ty)),+ $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[allow(missing_docs, reason = "each type says what it is")]
        pub enum $config {
            $($name($part)),+
        }

        impl $config {
            /// Descriptions of all parts.
            pub const ALL: &'static [$info] = &[$(<$part>::INFO),+];

            /// The description of the chosen part.
            pub fn info(&self) -> $info {
                match self {
                    $($config::$name(_) => <$part>::INFO),+
                }
            }

            /// The chosen part.
            pub fn part(&self) -> &dyn $contract {
                match self {
                    $($config::$name(part) => part),+
                }
            }

            /// The parameters of the part with this name.
            pub fn keys(name: &str) -> Option<&'static [games::Described]> {
                Self::ALL.iter().find(|info| info.name == name).map(|info| info.keys)
            }
        }
    };
}
pub(crate) use parts;

/// The part with this name as JSON, with a valid value for each key, so that tests can make any part.
#[cfg(test)]
pub(crate) fn written(name: &str, keys: &[games::Described]) -> String {
    let values: Vec<String> = keys.iter().map(|key| format!("{:?}: {}", key.key, key.allowed.example())).collect();
    format!("{{ {name:?}: {{ {} }} }}", values.join(", "))
}
