import type { Website } from '@convexa/contract/system'

/** Product and operator as the legal texts name them. */
export interface Parties {
  /** The product. */
  site: string
  /** Empty where the installation names nobody but the product. */
  operator: string
  /** How the operator is reached, as a sentence that ends the text. */
  contact: string
}

export const partiesOf = ({ name, copyright, contact }: Pick<Website, 'name' | 'copyright' | 'contact'>): Parties => ({
  site: name,
  operator: copyright === name ? '' : copyright,
  contact: contact ? `你可以通过 ${contact} 联系我们。` : '你可以通过本站页脚公示的主体与备案信息联系我们。',
})

/** A numbered heading with its paragraphs; a list is an array of its own. */
export type Clause = readonly [heading: string, ...parts: (string | readonly string[])[]]

export interface LegalText {
  version: string
  /** In force from this day. */
  date: string
  /** What a hurried reader must know. */
  brief: readonly string[]
  clauses: readonly Clause[]
}

const numerals = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二', '十三', '十四', '十五'] as const

/** Under an article's heading, or under that of a dialog in it. */
export function Clauses({ clauses, prefix = 'clause' }: { clauses: readonly Clause[]; prefix?: string }) {
  return clauses.map(([heading, ...parts], i) => (
    <section key={heading} aria-labelledby={`${prefix}-${i + 1}`}>
      <h2 id={`${prefix}-${i + 1}`}>
        {numerals[i]}、{heading}
      </h2>
      {parts.map((part) =>
        typeof part === 'string' ? (
          <p key={part}>{part}</p>
        ) : (
          <ul key={part[0]}>
            {part.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        ),
      )}
    </section>
  ))
}
