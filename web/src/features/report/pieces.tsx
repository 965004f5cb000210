import type { ReactNode } from 'react'
import type { Piece } from './sentences.ts'

/** A sentence of pieces; `tone` colours its strong ones. */
export function Pieces({ pieces, tone }: { pieces: readonly Piece[]; tone?: string }): ReactNode {
  let at = 0
  return pieces.map((piece) => {
    at += 1
    return typeof piece === 'string' ? (
      <span key={at}>{piece}</span>
    ) : (
      <b key={at} className={tone || undefined}>
        {piece.strong}
      </b>
    )
  })
}
