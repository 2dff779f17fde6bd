/** What the product is not, in a line: at the foot of every page and at the head of a patient's file. */
export const safetyLine = 'Information display, not a primary alarm and not a certified medical device.';
