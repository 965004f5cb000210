import { Link, useLocation, useNavigate } from 'react-router'
import { isAuthenticated } from '../../state/auth.ts'
import { useSite } from '../../state/site.ts'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/icon.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import './not-found.css'

const often = [
  { to: '/rotation/convertible-bond/screen', label: '可转债实时筛选' },
  { to: '/rotation/convertible-bond/backtest', label: '可转债高级回测' },
  { to: '/rotation/stock/screen', label: '股票实时筛选' },
]

export function NotFoundPage() {
  const { pathname } = useLocation()
  const { name } = useSite()
  const navigate = useNavigate()
  return (
    <main className="not-found">
      <PageTitle>页面不存在</PageTitle>
      <Link to="/" className="not-found-brand">
        <Logo />
        {name}
      </Link>
      <p className="not-found-code">404</p>
      <h1>页面不存在</h1>
      <p className="text-2">
        你访问的 <code className="mono">{pathname}</code> 没有找到。
      </p>
      <div className="line">
        <Link to="/" className="button primary">
          {isAuthenticated() ? '返回工作台' : '去登录'}
        </Link>
        <Button onClick={() => navigate(-1)}>返回上一页</Button>
      </div>
      <nav aria-label="常用页面">
        {often.map(({ to, label }) => (
          <Link key={to} to={to} className="link">
            {label}
          </Link>
        ))}
      </nav>
    </main>
  )
}
