import type { RunRetention } from '@convexa/contract/backtest'

const years = (days: number) => (days % 365 === 0 ? `${days / 365} 年` : `${days} 天`)

/** What is kept of the runs, in a sentence or two; null: everything. */
export function retentionWords({ plan, reports, until, favourites, most_favourites: most }: RunRetention): string | null {
  if (plan === 'guest') return '体验账号的回测保留 1 天，需要的请先在报告中导出。'
  if (!reports) return null
  const star = `需要长期保留的，请收藏（已收藏 ${favourites} / ${most}）或在报告中导出。`
  if (until) return `您的会员已到期，超出免费额度的完整回测结果将保留到 ${until}，之后仅保留参数与指标。${star}`
  const who = plan === 'free' ? '免费版' : '会员'
  const newest = `最近 ${reports.newest.toLocaleString('en-US')} 次、${years(reports.days)}内的完整结果`
  return `${who}保留${newest}，之后仅保留参数与指标，共 ${years(reports.question_days)}。${star}`
}
