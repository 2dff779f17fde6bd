/** How far the plotting area is from the edges of a drawing, in CSS pixels. The labels are on its right. */
export const plotInsets = { left: 44, right: 92, top: 10, bottom: 44 } as const;
