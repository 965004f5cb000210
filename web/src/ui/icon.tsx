const shapes = {
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4 6 8l4 4',
  warn: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  check: 'M3 8.5 6.5 12 13 4.5',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM8 7.2V11M8 5v.2',
  help: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM6.3 6.4a1.7 1.7 0 113 1.1C8.6 8.2 8 8.5 8 9.4M8 11.2v.1',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  cross: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9zM10.5 10.5 14 14',
  undo: 'M3 6h6a4 4 0 010 8H6M3 6l3-3M3 6l3 3',
  redo: 'M13 6H7a4 4 0 000 8h3M13 6l-3-3M13 6l-3 3',
  fold: 'M10 3 5 8l5 5M13 3v10',
  unfold: 'M6 3l5 5-5 5M3 3v10',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 1 0 0-4z',
  filter: 'M2 3.5h12l-4.5 5.5v4l-3 1V9z',
  chart: 'M2.5 2.5v11h11M4.5 10.5l3-3.5 2.5 2 3.5-5',
  shield: 'M8 1.8 13.5 4v4c0 3.2-2.3 5.2-5.5 6.2C4.8 13.2 2.5 11.2 2.5 8V4z',
  lock: 'M4 7h8a1 1 0 011 1v5a1 1 0 01-1 1H4a1 1 0 01-1-1V8a1 1 0 011-1zM5.5 7V5a2.5 2.5 0 015 0v2',
  columns: 'M3 3h10a1 1 0 011 1v8a1 1 0 01-1 1H3a1 1 0 01-1-1V4a1 1 0 011-1zM6 3v10M10 3v10',
  download: 'M8 2.5V10M5 7l3 3 3-3M3 13.5h10',
  upload: 'M8 10.5V3M5 6l3-3 3 3M3 13.5h10',
  share: 'M8 10V2.5M5 5l3-3 3 3M3 9v4.5h10V9',
  pencil: 'M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z',
  person: 'M8 3a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5zM3 13.5c.6-2.6 2.6-4 5-4s4.4 1.4 5 4',
  calendar: 'M3 3.5h10a.5.5 0 01.5.5v9a.5.5 0 01-.5.5H3a.5.5 0 01-.5-.5V4a.5.5 0 01.5-.5zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  more: 'M8 3.5v.1M8 8v.1M8 12.5v.1',
  enter: 'M13 4v3.5a1.5 1.5 0 01-1.5 1.5H3.5M6.5 6L3.5 9l3 3',
  home: 'M2.5 7.5 8 2.5l5.5 5M4 6.5v7h3v-4h2v4h3v-7',
  keyboard:
    'M2.5 4h11a.5.5 0 01.5.5v7a.5.5 0 01-.5.5h-11a.5.5 0 01-.5-.5v-7a.5.5 0 01.5-.5zM4.5 6.5v.1M7 6.5v.1M9.5 6.5v.1M12 6.5v.1M5 9.5h6',
  page: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  bin: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  grip: 'M6 3.5v.1M6 8v.1M6 12.5v.1M10 3.5v.1M10 8v.1M10 12.5v.1',
  refresh: 'M13 8a5 5 0 11-1.5-3.5M13 2.5v3h-3',
} as const

export type IconName = keyof typeof shapes | 'play'

/** Decoration only: what it means is said by the text or the label beside it. */
export function Icon({ name, size }: { name: IconName; size?: 'small' | 'middle' | undefined }) {
  return (
    <svg className={size ? `icon ${size}` : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
      {name === 'play' ? <path d="M5 3.5v9l7-4.5z" fill="currentColor" /> : <path d={shapes[name]} />}
    </svg>
  )
}

export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="6" fill="var(--brand)" />
      <path d="M5.5 21.5 22.5 8" stroke="var(--on-brand)" strokeOpacity=".55" strokeWidth="1.5" strokeLinecap="round" />
      <path d="M5.5 15.2C12.5 17 18.5 13 22.5 5.5" fill="none" stroke="var(--on-brand)" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}
