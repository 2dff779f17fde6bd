/** So near to a change of its patient a bed does not say whose a value is (the clocks of bed and staff differ). */
export const changingMs = 5 * 60_000;
