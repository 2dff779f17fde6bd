/** The release of Wardlight, as error reports name it; the number is that of package.json. */
export const release = 'wardlight@0.1.0';
