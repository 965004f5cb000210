import type { ComponentProps, ElementType, ReactNode } from 'react'

/** Of the scale of spaces (tokens.css) those that stand between things. */
type Space = 2 | 4 | 6 | 8 | 12 | 16 | 20 | 24

type LayoutProps<T extends ElementType> = {
  /** The element it is; a `div` unless said. */
  as?: T
  gap?: Space
  align?: 'start' | 'center' | 'end' | 'baseline' | 'stretch'
  /** What has no room goes on in the next line. */
  wrap?: boolean
  className?: string | undefined
  children?: ReactNode
} & Omit<ComponentProps<T>, 'as' | 'wrap' | 'className' | 'children'>

/** Things in a line, centred on it; `inline` as a word of a text is. */
export function Row<T extends ElementType = 'div'>({
  as,
  inline,
  gap,
  align,
  wrap = false,
  className,
  ...own
}: LayoutProps<T> & { inline?: boolean }) {
  const Tag: ElementType = as ?? 'div'
  return <Tag {...own} className={classesOf(inline ? 'row inline' : 'row', gap, align, wrap, className)} />
}

/** Things below one another, each as wide as there is room. */
export function Stack<T extends ElementType = 'div'>({ as, gap, align, wrap = false, className, ...own }: LayoutProps<T>) {
  const Tag: ElementType = as ?? 'div'
  return <Tag {...own} className={classesOf('stack', gap, align, wrap, className)} />
}

/** The content of a page of cards. */
export const Page = ({ children, className }: { children: ReactNode; className?: string | undefined }) => (
  <Stack as="main" id="main" gap={12} className={className ? `page ${className}` : 'page'}>
    {children}
  </Stack>
)

const classesOf = (base: string, gap: Space | undefined, align: string | undefined, wrap: boolean, own: string | undefined) =>
  [base, gap && `gap-${gap}`, align && `align-${align}`, wrap && 'wrap', own].filter(Boolean).join(' ')
