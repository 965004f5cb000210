import { copyrightYears, useSite } from '../../api/site.ts'
import { shanghai } from '../../base/dates.ts'
import { Icon } from '../../ui/icon.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import './footer.css'
import { legalPages } from '../../routing/menu.ts'
import { riskSentence } from './risk-sentence.ts'

export function Footer() {
  const { copyright, icp, beian } = useSite()
  return (
    <footer className="footer">
      <span>
        © {copyrightYears(shanghai(Date.now()).year)} {copyright}
      </span>
      {icp && (
        <a href="https://beian.miit.gov.cn/" target="_blank" rel="noopener noreferrer">
          {icp}
        </a>
      )}
      {beian && (
        <a href="https://beian.mps.gov.cn/" target="_blank" rel="noopener noreferrer">
          <Icon name="shield" size="small" />
          {beian}
        </a>
      )}
      {legalPages.map(({ path, name }) => (
        <PageLink key={path} to={path}>
          {name}
        </PageLink>
      ))}
      <span className="grow" />
      <span>{riskSentence}</span>
    </footer>
  )
}
