import { copyrightYears, useSite } from '../../state/site.ts'
import './footer.css'
import { riskSentence } from './risk.ts'

export function Footer() {
  const { copyright, icp, beian } = useSite()
  return (
    <footer className="footer">
      <span>
        © {copyrightYears(new Date().getFullYear())} {copyright}
      </span>
      {icp && (
        <a href="https://beian.miit.gov.cn/" target="_blank" rel="noopener noreferrer">
          {icp}
        </a>
      )}
      {beian && (
        <a href="https://beian.mps.gov.cn/" target="_blank" rel="noopener noreferrer">
          {beian}
        </a>
      )}
      <span className="grow" />
      <span>{riskSentence}</span>
    </footer>
  )
}
