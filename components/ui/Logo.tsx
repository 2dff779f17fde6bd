interface LogoProps {
  size: number;
  /** Its text alternative; omitted if the name is beside it. */
  label?: string;
}

/** A heartbeat through a lamp; the same drawing as public/icon.svg. */
export function Logo({ size, label }: LogoProps) {
  const described = label === undefined ? ({ 'aria-hidden': true } as const) : { role: 'img', 'aria-label': label };
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" {...described}>
      <rect width="32" height="32" rx="8" fill="var(--wl-brand)" />
      <circle cx="16" cy="16" r="9.5" stroke="var(--wl-brand-mark)" strokeOpacity="0.5" strokeWidth="2" />
      <path
        d="M3.5 16H12l2.5-6 4 12 2.5-6h7.5"
        stroke="var(--wl-brand-mark)"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
