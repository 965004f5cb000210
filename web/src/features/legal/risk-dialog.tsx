import { useCallback, useState } from 'react'
import { useSite } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './agreement.module.css'
import { Clauses, partiesOf } from './clauses.tsx'
import { riskText } from './risk-text.ts'

/** The risk statement, to be seen to its end. */
export function RiskDialog({ onRead, onClose }: { onRead: () => void; onClose: () => void }) {
  const { version, date, brief, clauses } = riskText(partiesOf(useSite()))
  const [seen, setSeen] = useState(false)
  // A callback: what the dialog holds is mounted after the effects of this component.
  const end = useCallback((element: HTMLParagraphElement) => {
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <Dialog
      title="风险揭示书"
      width={640}
      onClose={onClose}
      footer={
        <>
          <span className={styles.riskState} role="status">
            {seen ? '已读到最后' : '请滚动到底部后再勾选同意'}
          </span>
          <Button look={['primary']} disabled={!seen} onClick={onRead}>
            我已读完
          </Button>
        </>
      }
    >
      <div className={styles.riskText}>
        <p className="text-3 size-12">
          版本 {version} · {date} 起生效
        </p>
        <ul className={styles.riskBrief}>
          {brief.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <Clauses clauses={clauses} prefix="risk" />
        <p ref={end} className={`${styles.riskEnd} text-3 size-12`}>
          全文完
        </p>
      </div>
    </Dialog>
  )
}
