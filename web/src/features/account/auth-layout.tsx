import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { copyrightYears, useSite } from '../../api/site.ts'
import { shanghai } from '../../base/dates.ts'
import { publicPages } from '../../routing/page-table.ts'
import { Icon, type IconName, Logo } from '../../ui/icon.tsx'
import { Stack } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { riskSentence } from '../legal/risk-sentence.ts'
import { Convexity } from './convexity.tsx'
import './auth-layout.css'

const words: readonly { icon: IconName; title: string; text: string }[] = [
  { icon: 'filter', title: '写一条规则，当场看到名单。', text: '每改一个条件，剩余只数立即更新。' },
  { icon: 'chart', title: '逐日回放，每笔都说得出原因。', text: '买入、移出与剔除逐条留痕，成本与停牌计入。' },
  { icon: 'shield', title: '同一数据，同一结果。', text: '每份报告都带数据版本与引擎版本，可以重算核对。' },
]

/** The pages before the login: what the product is on one side, one form on the other. */
export function AuthLayout({ title, children }: { title: string; children: ReactNode }) {
  const site = useSite()
  return (
    <main className="door" id="main">
      <Stack as="section" className="door-why" aria-label={`关于${site.name}`}>
        <Brand />
        <div className="door-words">
          <Convexity />
          <p className="door-motto">把想法变成可验证的规则</p>
          <ul>
            {words.map((word) => (
              <li key={word.title}>
                <Icon name={word.icon} />
                <span>
                  <b>{word.title}</b>
                  {word.text}
                </span>
              </li>
            ))}
          </ul>
        </div>
        <p className="door-risk">{riskSentence}</p>
      </Stack>
      <Stack as="section" align="center" className="door-side" aria-labelledby="door-title">
        <Brand />
        <div className="door-form">
          <h1 id="door-title">{title}</h1>
          {children}
        </div>
        <Facts />
      </Stack>
    </main>
  )
}

/** Beside the words where there is room, above the form on the phone. */
function Brand() {
  const { name } = useSite()
  return (
    <Link to="/login" className="door-brand">
      <Logo size={32} />
      {name}
    </Link>
  )
}

function Facts() {
  const site = useSite()
  return (
    <footer>
      <span>
        © {copyrightYears(shanghai(Date.now()).year)} {site.copyright}
      </span>
      {publicPages
        .filter(({ path }) => path.startsWith('/legal/'))
        .map(({ path, title }) => (
          <PageLink key={path} to={path}>
            {title}
          </PageLink>
        ))}
      {site.icp && (
        <a href="https://beian.miit.gov.cn/" target="_blank" rel="noopener noreferrer">
          {site.icp}
        </a>
      )}
      {site.beian && (
        <a href="https://beian.mps.gov.cn/" target="_blank" rel="noopener noreferrer">
          {site.beian}
        </a>
      )}
    </footer>
  )
}
