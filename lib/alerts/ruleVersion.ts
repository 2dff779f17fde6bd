/** Goes up with every change of a rule or of its evaluation; an alert keeps the version that raised it. */
export const ruleVersion = 9;
