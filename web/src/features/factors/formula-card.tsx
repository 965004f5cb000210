import type { MarketId } from '@convexa/contract/enums/market'
import type { FactorMeta } from '@convexa/contract/factor'
import { type RefObject, useState } from 'react'
import { usePhone } from '../../base/use-phone.ts'
import { type FactorText, factorExamples } from '../../market/factor-examples.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { Menu } from '../../ui/menu.tsx'
import { VipHint } from '../../ui/vip-hint.tsx'
import { FactorForm } from './factor-form.tsx'
import styles from './formula-card.module.css'
import { FormulaField, type FormulaHandle } from './formula-field.tsx'
import type { CheckResult } from './use-check.ts'
import type { Vocabulary } from './vocabulary.ts'
import { WordMenu } from './word-menu.tsx'

/** The factor as it is written: its fields, the formula, and what is known of it. */
export function FormulaCard({
  kind,
  saved,
  text,
  onChange,
  nameError,
  verdict,
  refused,
  vocabulary,
  pen,
  onRun,
  onVersions,
}: {
  kind: MarketId
  saved: FactorMeta | null
  text: FactorText
  onChange: (change: Partial<FactorText>) => void
  nameError: string | null
  verdict: CheckResult
  /** What the server said against it when it was run or saved. */
  refused: string | null
  vocabulary: Vocabulary
  pen: RefObject<FormulaHandle | null>
  onRun: () => void
  onVersions: () => void
}) {
  const [cursor, setCursor] = useState({ line: 1, column: 1 })
  const phone = usePhone()
  const mistake = verdict.kind === 'wrong' ? verdict.mistake : null
  const remarks = verdict.kind === 'right' ? verdict.remarks : none
  return (
    <Card plain className={styles.formulaCard} label="公式">
      <FactorForm text={text} onChange={onChange} nameError={nameError} />
      <Row gap={8} className={styles.bar}>
        <span className="mono text-3">{saved?.factor_key ?? '草稿'}</span>
        {saved && (saved.version ?? 1) > 0 && (
          <button type="button" className="link" onClick={onVersions}>
            第 {saved.version} 版
          </button>
        )}
        <span className="grow" />
        {phone && <Strokes pen={pen} />}
        <WordMenu kind="function" words={vocabulary.words} pen={pen} />
        <WordMenu kind="factor" words={vocabulary.words} pen={pen} />
        {!phone && (
          <Menu
            align="right"
            button={
              <>
                示例
                <Icon name="down" size="small" />
              </>
            }
            choices={factorExamples[kind].map(({ name, formula }) => ({
              label: name,
              run: () => {
                onChange({ formula })
                pen.current?.focus()
              },
            }))}
          />
        )}
      </Row>
      <FormulaField
        value={text.formula}
        onChange={(formula) => onChange({ formula })}
        onRun={onRun}
        onCursor={(line, column) => setCursor({ line, column })}
        vocabulary={vocabulary}
        mistake={mistake}
        remarks={remarks}
        pen={pen}
      />
      <Row gap={12} className={styles.status} role="status">
        <VerdictLine verdict={verdict} onGo={(start, end) => pen.current?.select(start, end)} />
        <span className="grow" />
        <span className={`text-3 ${styles.place}`}>
          第 {cursor.line} 行，第 {cursor.column} 列
        </span>
      </Row>
      {saved?.kept_meanings?.map((sentence) => (
        <p key={sentence} className="note warn">
          {sentence}
        </p>
      ))}
      {remarks.map(({ start, end, message, press }) => (
        <Row gap={8} key={`${start} ${message}`} className={styles.remarks}>
          <button
            type="button"
            className={styles.remark}
            onClick={() => {
              pen.current?.select(start, end)
              pen.current?.focus()
            }}
          >
            <Icon name="warn" size="middle" />
            {message}
          </button>
          {press && (
            <Button look={['small']} onClick={() => onChange({ formula: press.formula })}>
              {press.label}
            </Button>
          )}
        </Row>
      ))}
      {refused && !mistake && (
        <p className={styles.refused} role="alert">
          <Icon name="warn" size="middle" />
          {refused}
          <VipHint refusal={refused} />
        </p>
      )}
    </Card>
  )
}

const none: readonly never[] = []

function VerdictLine({ verdict, onGo }: { verdict: CheckResult; onGo: (start: number, end: number) => void }) {
  switch (verdict.kind) {
    case 'empty':
      return <span className="text-3">写一个公式，或从示例开始</span>
    case 'waiting':
      return <span className="text-3">函数与因子加载后开始检查</span>
    case 'right':
      return (
        <>
          <span className={styles.ok}>
            <Icon name="check" size="middle" />
            语法正确
          </span>
          <span className="text-3">
            {verdict.functions} 个函数 · {verdict.factors} 个因子 · {verdict.nodes} 个节点
          </span>
        </>
      )
    case 'wrong':
      return (
        <button type="button" className={styles.wrong} onClick={() => onGo(verdict.mistake.start, verdict.mistake.end)}>
          <Icon name="warn" size="middle" />
          {verdict.mistake.message}
        </button>
      )
  }
}

/** On the phone: what its keyboard hides. */
function Strokes({ pen }: { pen: RefObject<FormulaHandle | null> }) {
  return (
    <Row as="span" align="stretch" className={styles.strokes}>
      {['(', ')', ',', '*', '/'].map((stroke) => (
        <Button key={stroke} look={['ghost', 'square']} aria-label={`输入 ${stroke}`} onClick={() => pen.current?.insert(stroke)}>
          {stroke}
        </Button>
      ))}
      <Button look={['ghost', 'square']} icon="undo" aria-label="撤销" onClick={() => pen.current?.undo()} />
    </Row>
  )
}
