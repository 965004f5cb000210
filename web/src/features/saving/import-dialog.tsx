import { markets } from '@convexa/contract/enums/market'
import { useState } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PastedJson } from './pasted-json.tsx'
import type { SharedRule } from './shared-draft.ts'

/** Parameters out of pasted JSON; what is wrong in it is said with its place. */
export function ImportDialog({ onUse, onClose }: { onUse: (rule: SharedRule) => void; onClose: () => void }) {
  const market = useMarket()
  const [text, setText] = useState('')
  const [mistakes, setMistakes] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const use = async () => {
    setBusy(true)
    const code = await import('./read-rule.ts').catch(() => null)
    setBusy(false)
    if (!code) return setMistakes(['检查参数的程序没有加载成功，请检查网络后重试'])
    const read = code.readRule(text, market.id)
    if (!read.ok) return setMistakes(read.mistakes)
    if (read.rule.kind !== market.id)
      return setMistakes([`这是${markets[read.rule.kind].title}的参数，请到${markets[read.rule.kind].title}页导入`])
    onUse(read.rule)
    onClose()
  }
  return (
    <Dialog
      title="粘贴 JSON 导入"
      width={560}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look={['primary']} disabled={text.trim() === '' || busy} onClick={use}>
            导入
          </Button>
        </>
      }
    >
      <p className="note">导入会替换当前草稿，可用撤销（Ctrl+Z）恢复。</p>
      <PastedJson
        label="策略参数 JSON"
        placeholder={'{\n  "kind": "cb",\n  "name": "双低 10 只",\n  "parameters": { … }\n}'}
        text={text}
        mistakes={mistakes}
        onChange={(next) => {
          setText(next)
          setMistakes([])
        }}
      />
    </Dialog>
  )
}
