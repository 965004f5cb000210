import type { ReactNode } from 'react'

/** One state of a part under its name. */
export function Sample({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'sample wide' : 'sample'}>
      <h3>{name}</h3>
      {children}
    </div>
  )
}

export const Samples = ({ children }: { children: ReactNode }) => <div className="samples">{children}</div>
