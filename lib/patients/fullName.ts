/** Returns "Okafor, Ada", or the one name that somebody has. */
export function fullName(familyName: string, givenName: string): string {
  return givenName === '' ? familyName : `${familyName}, ${givenName}`;
}
