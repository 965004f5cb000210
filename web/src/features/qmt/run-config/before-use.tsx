import { useState } from 'react'
import { usePreferences } from '../../../state/preferences.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/controls.tsx'
import { Term } from '../../help/term.tsx'
import { riskSentence } from '../../legal/risk-sentence.ts'
import styles from './run-config.module.css'

const panel = 'qmt-before-use'

/** Read once before the first use; what was ticked stays folded away on this machine. */
export function BeforeUse() {
  const { collapsedSettings, collapse } = usePreferences()
  const [known, setKnown] = useState(false)
  if (collapsedSettings[panel]) return null
  return (
    <Card title="使用前请知悉">
      <ul className={styles.qmtBefore}>
        <li>{riskSentence}据此操作，风险自担。</li>
        <li>本站不下单、不接触资金、不保存券商密码。下单由你电脑上的客户端通过你自己的券商终端进行。</li>
        <li>
          由程序下单之前，须<Term k="reporting">先报告、后交易</Term>，请先向你的开户券商办理程序化交易报告。
        </li>
      </ul>
      <div className={`line ${styles.qmtBeforeActs}`}>
        <Checkbox checked={known} onChange={setKnown}>
          我已知晓
        </Checkbox>
        <Button look={['small']} disabled={!known} onClick={() => collapse(panel, true)}>
          收起
        </Button>
      </div>
    </Card>
  )
}
