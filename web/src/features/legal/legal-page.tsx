import { Link } from 'react-router'
import { useSite } from '../../api/site.ts'
import { publicPages } from '../../routing/page-table.ts'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { Clauses, type LegalText, type Parties, partiesOf } from './clauses.tsx'
import styles from './legal.module.css'

/** A text of law, set for reading and for paper. */
export function LegalPage({ path, text }: { path: string; text: (parties: Parties) => LegalText }) {
  const site = useSite()
  const { version, date, brief, clauses } = text(partiesOf(site))
  const texts = publicPages.filter((page) => page.path.startsWith('/legal/'))
  const title = texts.find((page) => page.path === path)?.title ?? ''
  return (
    <div className={styles.legal}>
      <Row as="header" className={styles.legalBar}>
        <Link to="/" className={styles.legalBrand}>
          <Logo size={24} />
          {site.name}
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
      </Row>
      <main id="main">
        <article>
          <h1>
            {site.name}
            {title}
          </h1>
          <Row as="p" align="stretch" wrap className={styles.legalFacts}>
            <span>版本 {version}</span>
            <span>{date} 起生效</span>
            <span>运营者：{site.copyright}</span>
          </Row>
          <aside aria-label="要点">
            <b>要点</b>
            <ul>
              {brief.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </aside>
          <Clauses clauses={clauses} />
        </article>
      </main>
    </div>
  )
}
