import { copyrightYears, useSite } from '../../state/site.ts'
import './footer.css'

export const riskSentence = '历史回测不代表未来收益；本站只提供数据统计与工具，不构成投资建议。'

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
