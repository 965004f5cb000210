import './data-foot.css'

/** Where figures come from and of when they are, at the foot of what shows them: `数据：Tushare Pro · 截至 2026-11-20 收盘`. */
export const DataFoot = ({ source, note }: { source: string; note: string }) => (
  <p className="data-foot">
    数据：{source} · {note}
  </p>
)
