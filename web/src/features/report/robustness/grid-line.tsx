import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout.tsx'
import styles from './answers.module.css'

/** The check grid of the report: under way, failed, waiting for a press, or none of it. */
export interface Checking {
  state: 'asking' | 'failed' | 'waiting' | 'none'
  /** Why it failed, where the server says more than that it did. */
  reason?: string | undefined
  /** Seconds that it is expected to take; null where that is not known. */
  seconds: number | null
  /** Checks that it fills. */
  missing: number
  ask: () => void
  cancel: () => void
}

/** What the check grid is doing, while the rest of the report can be read; nothing where there is none to wait for. */
export function GridLine({ checking: { state, missing, seconds, reason, ask, cancel } }: { checking: Checking }) {
  if (state === 'none') return null
  if (state === 'waiting')
    return (
      <Row as="p" gap={8} className={styles.answerTools}>
        <Button look={['small']} onClick={ask}>
          仍要补查 {missing} 项
        </Button>
        {seconds !== null && <span className="text-3">约 {seconds} 秒</span>}
      </Row>
    )
  return (
    <Row as="p" gap={8} className={`${styles.answerTools} text-2`} role="status">
      {state === 'asking' ? (
        <>
          <span>
            正在用参数网格补算另外 {missing} 项{seconds === null ? '' : `，约 ${seconds} 秒`}
          </span>
          <button type="button" className="link" onClick={cancel}>
            取消
          </button>
        </>
      ) : (
        <>
          <Icon name="warn" size="small" />
          <span>{reason ?? '没有补算成功'}</span>
          <button type="button" className="link" onClick={ask}>
            重试
          </button>
        </>
      )}
    </Row>
  )
}
