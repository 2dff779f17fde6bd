/** Goes up with every change of a rule, or of how it is judged; an alert keeps the one that it was raised by. */
export const ruleVersion = 1;
