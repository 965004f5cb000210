import { calls } from '@convexa/contract/calls'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { withoutUnseen } from '@convexa/contract/unseen'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { queries, strategyListQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { forgetStrategies } from '../rule/strategy-queries.ts'
import { PastedJson } from '../saving/pasted-json.tsx'
import type { ReadStrategy } from './read-strategies.ts'

/** Larger than any list of a hundred rules. */
const mostBytes = 2_000_000
/** Of what a toast can say. */
const mostTold = 5

/** Strategies out of a file or a pasted text, one or a list; each is saved as a new one. */
export function ImportStrategiesDialog({ kind, onClose }: { kind: MarketId; onClose: () => void }) {
  const [text, setText] = useState('')
  const [mistakes, setMistakes] = useState<readonly string[]>([])
  const [progress, setProgress] = useState<string | null>(null)
  const file = useRef<HTMLInputElement>(null)
  const there = useRef(true)
  useEffect(() => {
    there.current = true
    return () => {
      there.current = false
    }
  }, [])
  const take = async (given: File | undefined) => {
    if (!given) return
    if (given.size > mostBytes) return setMistakes(['文件不能大于 2 MB'])
    setMistakes([])
    setText(await given.text())
  }
  const use = async () => {
    setProgress('正在检查…')
    try {
      const { readStrategies, freeName } = await import('./read-strategies.ts')
      const read = readStrategies(text, kind)
      if (!read.ok) return setMistakes(read.mistakes)
      const failed = await saveAll(read.strategies, freeName, (done) => setProgress(`正在保存 ${done} / ${read.strategies.length}`))
      const saved = read.strategies.length - failed.length
      if (saved > 0) toast.done([`已导入 ${saved} 个策略`, ...new Set(read.strategies.flatMap(({ kept = [] }) => kept))].join('；'))
      if (failed.length > 0) {
        // With the dialog closed meanwhile, a toast reports the failures.
        if (!there.current)
          toast.error(failed.length > mostTold ? `${failed.slice(0, mostTold).join('；')} 等 ${failed.length} 个` : failed.join('；'))
        return setMistakes(failed)
      }
      if (there.current) onClose()
    } finally {
      setProgress(null)
    }
  }
  return (
    <Dialog
      title="导入策略"
      width={560}
      onClose={onClose}
      footer={
        <>
          <span className="text-3 size-12" role="status">
            {progress ?? `没有写明市场的按${markets[kind].label}导入；重名的会在后面加序号。`}
          </span>
          <span className="grow" />
          <Button onClick={onClose}>取消</Button>
          <Button look={['primary']} disabled={text.trim() === '' || progress !== null} onClick={() => void use()}>
            导入
          </Button>
        </>
      }
    >
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        hidden
        onChange={(event) => {
          void take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <p className="note">选择「导出 JSON」存下的文件，或把内容粘贴在下面；一个策略或一组策略都可以。</p>
      <Button look={['small']} icon="upload" onClick={() => file.current?.click()}>
        选择文件
      </Button>
      <PastedJson
        label="策略 JSON"
        placeholder={'[\n  { "kind": "cb", "strategy_name": "双低 10 只", "detail": { … } },\n  …\n]'}
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

/** One after the other, each under a free name of its market; what could not be saved is named with its reason. */
async function saveAll(
  all: readonly ReadStrategy[],
  freeName: (name: string, taken: Set<string>) => string,
  tell: (done: number) => void,
): Promise<string[]> {
  const failed: string[] = []
  const taken = new Map<MarketId, Set<string>>()
  for (const [i, { kind, name, parameters, settings, remark, tags }] of all.entries()) {
    tell(i)
    try {
      const names = taken.get(kind) ?? (await namesOf(kind))
      taken.set(kind, names)
      const body = { strategy_name: freeName(name, names), remark, tags, detail: parameters, ...(settings && { settings }) }
      await call(calls[kind].addStrategy, { body })
    } catch (error) {
      failed.push(`「${withoutUnseen(name)}」没有导入：${sentenceOf(error)}`)
    }
  }
  for (const kind of taken.keys()) forgetStrategies(kind)
  return failed
}

const namesOf = async (kind: MarketId) =>
  new Set((await queries.fetchQuery(strategyListQuery(kind))).list_items.map(({ strategy_name: name }) => name.toLowerCase()))
