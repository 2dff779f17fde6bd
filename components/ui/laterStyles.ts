/** The address of antd's rules for what most pages show later (scripts/antd-css.mjs). */
export const laterStyles = new URL('../../styles/generated/later.css', import.meta.url).pathname;
