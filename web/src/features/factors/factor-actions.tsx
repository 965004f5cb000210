import type { MarketId } from '@convexa/contract/enums/market'
import { useState } from 'react'
import { sentenceOf } from '../../api/messages.ts'
import { shanghai, shortTime } from '../../base/dates.ts'
import { isMac, keyMap, printed } from '../../keys/key-map.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './customized-factors.module.css'
import { DeleteDialog } from './delete-dialog.tsx'
import { type FactorItem, useFactorDrafts } from './drafts.ts'
import { deleteFactor } from './factor-queries.ts'
import type { Work } from './use-work.ts'

const Keys = ({ of }: { of: 'run' | 'save' }) => (
  <kbd>
    {printed(keyMap[of].press[0], isMac()).map((key) =>
      key === 'Enter' ? <Icon key={key} name="enter" size="small" /> : <span key={key}>{key} </span>,
    )}
  </kbd>
)

/** Delete, restore, run, save. */
export function FactorActions({
  kind,
  item,
  work,
  onGone,
}: {
  kind: MarketId
  item: FactorItem
  work: Work
  onGone: (id: string) => void
}) {
  const [deleting, setDeleting] = useState(false)
  const { saved, unsaved, text } = item
  const gone = () => {
    useFactorDrafts.getState().drop(kind, item.id)
    toast.done(`已删除「${text.name || '未命名因子'}」`)
    setDeleting(false)
    onGone(item.id)
  }
  const remove = async () => {
    if (saved?.id && (saved.used_by ?? 0) > 0) return setDeleting(true)
    const title = `删除因子「${text.name || '未命名因子'}」？`
    const sure = await confirm({
      title,
      text: saved ? '没有策略使用它。删除后不可恢复。' : '这个因子还没有保存，删除后不可恢复。',
      action: '删除',
    })
    if (!sure) return
    if (!saved?.id) return gone()
    try {
      await deleteFactor(kind, saved.id, false)
      gone()
    } catch (error) {
      toast.error(sentenceOf(error))
    }
  }
  const { runs } = work
  return (
    <Row gap={8} className={styles.actions}>
      <span className={styles.savedAt}>
        {unsaved ? '草稿已存在本机' : saved?.updated_at ? `上次保存 ${momentOf(saved.updated_at)}` : ''}
      </span>
      {saved && unsaved && (
        <Button look={['small']} onClick={work.restore}>
          还原
        </Button>
      )}
      <Button look={['small']} onClick={remove}>
        删除
      </Button>
      {runs.running ? (
        <Button look={['small']} icon="cross" onClick={runs.cancel}>
          取消运行
        </Button>
      ) : (
        <Button
          look={['small']}
          icon="play"
          disabled={!work.canRun}
          title={work.left === null ? undefined : `今天还可以运行 ${work.left} 次`}
          onClick={work.run}
        >
          运行
          <Keys of="run" />
        </Button>
      )}
      <Button look={['small', 'primary']} disabled={!unsaved || work.saving} onClick={() => void work.save()}>
        {work.saving ? '正在保存…' : '保存'}
        <Keys of="save" />
      </Button>
      {deleting && saved && <DeleteDialog kind={kind} factor={saved} onDone={gone} onClose={() => setDeleting(false)} />}
    </Row>
  )
}

/** `14:26` of today, `11-18` of this year. */
const momentOf = (iso: string): string => (iso.slice(0, 10) === shanghai(Date.now()).date ? iso.slice(11, 16) : shortTime(iso.slice(0, 10)))
