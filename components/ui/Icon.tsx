/** Outlines on a 24 x 24 grid, drawn by us so that no icon package is loaded. */
const outlines = {
  dashboard: 'M4 4h7v9H4zM15 4h5v5h-5zM15 13h5v7h-5zM4 17h7v3H4z',
  patients:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 10v-1a7 7 0 0 1 14 0v1M16 3.5a4 4 0 0 1 0 7M22 21v-1a7 7 0 0 0-5-6.7',
  assignments: 'M8 4H5v17h14V4h-3M8 2h8v4H8zM8.5 11h7M8.5 16h5',
  handoffs: 'M4 8h13l-4-4M20 16H7l4 4',
  history: 'M4 4v5h5M4.6 9a8.5 8.5 0 1 1-1 4.5M12 7v5l3.5 2',
  device: 'M3 5h18v11H3zM9 20h6M6 11h3l2-3 2 5 1.5-2H18',
  chat: 'M4 4h16v12H10l-5 5v-5H4zM8 8.5h8M8 12h5',
  admin: 'M12 3 4 6v6c0 4.5 3.4 7.8 8 9 4.6-1.2 8-4.5 8-9V6l-8-3Zm-3.5 9 2.5 2.5 4.5-5',
  settings: 'M4 6h9M19 6h1M4 12h2M12 12h8M4 18h7M17 18h3M13 4h6v4h-6zM6 10h6v4H6zM11 16h6v4h-6z',
  expand: 'M4 5h16M4 12h16M4 19h16M9 5v14',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 9v-1a8 8 0 0 1 16 0v1',
  lock: 'M6 11h12v10H6zM8 11V8a4 4 0 0 1 8 0v3',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 9V3h10v6M7 18H4V9h16v9h-3M7 14h10v7H7z',
  columns: 'M4 4h16v16H4zM10 4v16M15 4v16',
  bookmark: 'M6 3h12v18l-6-4-6 4z',
  sound: 'M4 9h4l5-4v14l-5-4H4zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12',
  noSound: 'M4 9h4l5-4v14l-5-4H4zM16.5 9.5l5 5m0-5-5 5',
  report: 'M5 21V4h14l-3 4.5 3 4.5H5',
  addReport: 'M5 21V4h7M5 13h9M18 3v9M13.5 7.5h9',
  warning: 'M12 3 2 20h20L12 3Zm0 6v5m0 3v.5',
} as const;

export type IconName = keyof typeof outlines;

/** A picture beside words that say the same, so screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={outlines[name]} />
    </svg>
  );
}
