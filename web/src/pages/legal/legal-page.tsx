import { Link } from 'react-router'
import { useSite } from '../../state/site.ts'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/icon.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { publicPages } from '../page-table.ts'
import './legal.css'

/** Who offers the product, as the texts name them. */
export interface Parties {
  /** The product. */
  site: string
  /** Empty where the installation names nobody but the product. */
  operator: string
}

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

/** A text of law, set for reading and for paper. */
export function LegalPage({ path, text }: { path: string; text: (parties: Parties) => LegalText }) {
  const { name, copyright } = useSite()
  const { version, date, brief, clauses } = text({ site: name, operator: copyright === name ? '' : copyright })
  const texts = publicPages.filter((page) => page.path.startsWith('/legal/'))
  const title = texts.find((page) => page.path === path)?.title ?? ''
  return (
    <div className="legal">
      <header className="legal-bar">
        <Link to="/" className="legal-brand">
          <Logo size={24} />
          {name}
        </Link>
        <nav aria-label="协议与政策">
          {texts.map((page) => (
            <PageLink key={page.path} to={page.path} aria-current={page.path === path ? 'page' : undefined}>
              {page.title}
            </PageLink>
          ))}
        </nav>
        <Button look={['small']} onClick={() => window.print()}>
          打印
        </Button>
      </header>
      <main id="main">
        <article>
          <h1>
            {name}
            {title}
          </h1>
          <p className="legal-facts">
            <span>版本 {version}</span>
            <span>{date} 起生效</span>
            <span>运营者：{copyright}</span>
          </p>
          <aside aria-label="要点">
            <b>要点</b>
            <ul>
              {brief.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </aside>
          {clauses.map(([heading, ...parts], i) => (
            <section key={heading} aria-labelledby={`clause-${i + 1}`}>
              <h2 id={`clause-${i + 1}`}>
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
          ))}
        </article>
      </main>
    </div>
  )
}
