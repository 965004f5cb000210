import { useState } from 'react'
import { shanghai } from '../../base/dates.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { asideTexts, discard, dropAside, isUnsaved, keptDrafts } from '../../state/kept-drafts.ts'
import { resume } from '../../state/resume-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keepsFiles } from '../../ui/keeps-files.ts'
import { Row } from '../../ui/layout.tsx'
import { saveText } from '../../ui/table/sheet.ts'
import { toast } from '../../ui/toast.tsx'
import { draftName } from '../rule/draft-name.ts'
import { useFactors } from '../rule/factors.ts'
import styles from './saving.module.css'

/** What is written and not saved yet, of all tabs of this browser: each can be gone on with or thrown away. */
export function DraftChoices({ draft: now, onChosen }: { draft: Draft | null; onChosen: () => void }) {
  const { id: kind } = useMarket()
  const { factors } = useFactors(kind)
  const [, again] = useState(0)
  const redraw = () => again((count) => count + 1)
  const drafts = keptDrafts(kind).filter(isUnsaved)
  const aside = asideTexts()
  const unread = Object.keys(aside).length
  if (drafts.length === 0 && unread === 0) return null
  return (
    <>
      {drafts.length > 0 && (
        <>
          <h3>
            草稿 <small>{drafts.length}</small>
          </h3>
          <div className={styles.choicesList}>
            {drafts.map((one) => {
              const name = draftName(one.draft, factors)
              return (
                <Row className={styles.choice} key={one.id}>
                  <button
                    type="button"
                    className="menu-item"
                    aria-current={one.id === now?.id ? 'true' : undefined}
                    onClick={() => {
                      onChosen()
                      if (one.id !== now?.id) resume(kind, one.draft)
                    }}
                  >
                    <span className={styles.choiceName}>{name}</span>
                    <span className="grow" />
                    <small>
                      {one.draft.saved ? '有修改' : '未保存'} · {whenOf(one.at)}
                    </small>
                  </button>
                  {one.id !== now?.id && (
                    <Button
                      look={['ghost', 'small', 'square']}
                      aria-label={`丢弃草稿「${name}」`}
                      title="丢弃"
                      onClick={() => {
                        const back = discard(kind, one)
                        redraw()
                        toast.done(`已丢弃草稿「${name}」`, {
                          label: '撤销',
                          act: () => {
                            back()
                            redraw()
                          },
                        })
                      }}
                    >
                      <Icon name="cross" size="small" />
                    </Button>
                  )}
                </Row>
              )
            })}
          </div>
        </>
      )}
      {unread > 0 && (
        <Row as="p" align="stretch" wrap className={`note ${styles.unread}`}>
          {unread} 项旧内容读不出来，已另存。
          {keepsFiles() && (
            <button
              type="button"
              className="link"
              onClick={() => saveText('读不出来的内容.json', JSON.stringify(aside, null, 2), 'application/json')}
            >
              下载
            </button>
          )}
          <button
            type="button"
            className="link"
            onClick={() => {
              dropAside()
              redraw()
            }}
          >
            清除
          </button>
        </Row>
      )}
      <hr />
    </>
  )
}

/** 10:32 of today, else the day. */
function whenOf(at: number): string {
  const { date, time } = shanghai(at)
  return date === shanghai(Date.now()).date ? time.slice(0, 5) : date.slice(5)
}
