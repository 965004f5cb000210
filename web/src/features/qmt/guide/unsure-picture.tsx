import type { ReactNode } from 'react'
import styles from './unsure-picture.module.css'

/** What the client does when it does not know, as one picture: 360 wide, so that a phone shows it as it is. */
export function UnsurePicture() {
  return (
    <svg className={styles.unsurePicture} viewBox="0 0 360 596" role="img" aria-labelledby="unsure-title" aria-describedby="unsure-words">
      <title id="unsure-title">客户端不确定一笔委托时怎么做</title>
      <desc id="unsure-words">
        发出委托后，列表里看到了就按列表记账。列表里没有（等 10 秒，大 QMT 30
        秒），或断电、睡眠、过夜：这只证券待核对，不买、不卖、不止盈，资金和位置都保留，并在网站上问你。之后先到的算数：列表里出现了，按列表记账；下一交易日的持仓能证明，按持仓记账；你回答全部成交、没有成交或部分成交，按你的回答记账，少于全部的回答在委托当日
        15:05 之后生效。有了结果，下一轮恢复买卖。
      </desc>
      <defs>
        <marker id="unsure-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
          <path d="M1 1 7 4 1 7z" />
        </marker>
      </defs>
      <Box x={120} y={4} width={120} height={36} look="start">
        <Line x={180} y={27} strong>
          发出一笔委托
        </Line>
      </Box>
      <path d="M180 40V58M86 76V58H274V76" />
      <path className="head" d="M86 66V78" />
      <path className="head" d="M274 66V78" />
      <Box x={4} y={80} width={164} height={56} look="known">
        <Line x={86} y={104} strong>
          委托列表里看到了
        </Line>
        <Line x={86} y={124}>
          按列表记账
        </Line>
      </Box>
      <Box x={192} y={80} width={164} height={76} look="open">
        <Line x={274} y={104} strong>
          列表里没有
        </Line>
        <Line x={274} y={124}>
          等 10 秒（大 QMT 30 秒）
        </Line>
        <Line x={274} y={143}>
          或断电、睡眠、过夜
        </Line>
      </Box>
      <path className="head" d="M274 156V178" />
      <Box x={4} y={180} width={352} height={80} look="asked">
        <Line x={180} y={204} strong>
          待核对：不猜，也不再发
        </Line>
        <Line x={180} y={226}>
          这只证券不买、不卖、不止盈
        </Line>
        <Line x={180} y={246}>
          占用的资金与位置都保留 · 在网站上问你
        </Line>
      </Box>
      <path className="head" d="M180 260V284" />
      <g className="group">
        <rect x={4} y={286} width={352} height={246} rx={6} />
      </g>
      <Line x={180} y={310} strong>
        之后，先到的那一个算数
      </Line>
      <Way y={324} mark="1" title="委托列表里出现了" text="按列表记账，任何时候都以列表为准" />
      <Way y={386} mark="2" title="下一交易日的持仓能证明" text="按持仓记账，写入日志" />
      <Way y={448} mark="3" title="你在网站上回答" text="全部成交 · 没有成交 · 部分成交" more="少于全部的，委托当日 15:05 之后生效" />
      <path className="head" d="M180 532V554" />
      <Box x={84} y={556} width={192} height={36} look="known">
        <Line x={180} y={579} strong>
          有了结果，下一轮恢复买卖
        </Line>
      </Box>
    </svg>
  )
}

function Box({
  look,
  children,
  ...place
}: {
  x: number
  y: number
  width: number
  height: number
  look: 'start' | 'known' | 'open' | 'asked'
  children: ReactNode
}) {
  return (
    <g className={look}>
      <rect {...place} rx={6} />
      {children}
    </g>
  )
}

function Line({
  x,
  y,
  strong = false,
  left = false,
  children,
}: {
  x: number
  y: number
  strong?: boolean
  left?: boolean
  children: ReactNode
}) {
  return (
    <text x={x} y={y} className={strong ? 'strong' : undefined} textAnchor={left ? 'start' : 'middle'}>
      {children}
    </text>
  )
}

/** One of the ways to a result. */
function Way({ y, mark, title, text, more }: { y: number; mark: string; title: string; text: string; more?: string }) {
  return (
    <g className="known">
      <rect x={16} y={y} width={328} height={more ? 74 : 54} rx={6} />
      <circle cx={36} cy={y + 27} r={11} />
      <text x={36} y={y + 32} className={styles.mark} textAnchor="middle">
        {mark}
      </text>
      <Line x={58} y={y + 23} strong left>
        {title}
      </Line>
      <Line x={58} y={y + 43} left>
        {text}
      </Line>
      {more && (
        <Line x={58} y={y + 62} left>
          {more}
        </Line>
      )}
    </g>
  )
}
