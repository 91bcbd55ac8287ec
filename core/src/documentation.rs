//! Where the documentation describes codes and rules.

use crate::{Code, Error, Rule};

/// The page of codes, rules and limits. Each of them is a place of the page.
const ERRORS: &str = "https://ag-ui-native.github.io/ag-ui-native/latest/errors/";

impl Code {
    /// The address of its description in the documentation.
    pub fn documentation(self) -> String {
        format!("{ERRORS}#{self}")
    }
}

impl Rule {
    /// The address of its description in the documentation.
    pub fn documentation(self) -> String {
        format!("{ERRORS}#{self}")
    }
}

impl Error {
    /// The address of the description of the broken rule; without a rule, of the code.
    ///
    /// ```
    /// use ag_ui_native::{Code, Error};
    ///
    /// let error = Error::new(Code::AgentBusy, "");
    /// assert_eq!(
    ///     error.documentation(),
    ///     "https://ag-ui-native.github.io/ag-ui-native/latest/errors/#agent_busy"
    /// );
    /// ```
    pub fn documentation(&self) -> String {
        self.rule().map_or_else(|| self.code().documentation(), Rule::documentation)
    }
}

/// The same for an error of another language, which knows the names; `None` for a code that is not of this package.
pub fn documentation_of(code: &str, rule: Option<&str>) -> Option<String> {
    let rule = Rule::ALL.iter().find(|known| rule == Some(known.as_str()));
    let code = || Code::ALL.iter().find(|known| code == known.as_str());
    rule.map(|rule| rule.documentation()).or_else(|| code().map(|code| code.documentation()))
}
