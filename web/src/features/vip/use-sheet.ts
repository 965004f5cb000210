import { calls } from '@convexa/contract/calls'
import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { queries, websiteQuery } from '../../api/queries.ts'
import { noSheetWords } from './pay-way.ts'
import { ordersChanged } from './vip-queries.ts'
import { openSheet, type SheetEnd } from './wechat-bridge.ts'
import { payerAddress } from './wechat-payer.ts'

/** `opening`: the server is asked for what opens it, or WeChat for who pays; then how it was left. */
export type SheetStep = 'ready' | 'opening' | 'open' | SheetEnd

/** 请在手机微信中打开…: the server does not know who pays. */
const unknownPayer = 31010

/** WeChat's sheet for an order: opened, and what was heard of it. What became of the order is never concluded from it. */
export function useSheet(order: string) {
  const [step, setStep] = useState<SheetStep>('ready')
  const [refused, setRefused] = useState<string | null>(null)
  /** WeChat was asked who pays since this page was opened. */
  const payerKnown = useRef(false)
  const busy = step === 'opening' || step === 'open'

  /** @param code what WeChat gave for the payer, where it was asked for */
  const pay = async (code: string | null): Promise<void> => {
    if (busy) return
    setStep('opening')
    setRefused(null)
    try {
      const parameters = await call(calls.payment.jsapiProcess, { body: { order_id: order, ...(code && { code }) } })
      setStep('open')
      const end = await openSheet(parameters)
      payerKnown.current ||= code !== null
      // Left unpaid, as WeChat says: nobody may pay by this sheet any more, and the order is free for another.
      if (end === 'cancel' || end === 'fail') await call(calls.payment.jsapiClose, { body: { order_id: order } }).catch(() => {})
      // The sheet is issued for the WeChat account that paid last; WeChat refuses it to another account.
      if (end === 'fail' && !payerKnown.current && (await leaveForPayer(order))) return
      setStep(end)
    } catch (error) {
      if (isUnknownPayer(error) && code === null) {
        if (await leaveForPayer(order)) return
        setRefused(noSheetWords)
      } else if (!(error instanceof CallError && error.kind === 'login')) setRefused(sentenceOf(error))
      setStep('ready')
    }
    await ordersChanged()
  }
  return { step, refused, busy, pay }
}

/** Leaves this page to ask WeChat who pays; its button stays busy until the page is gone. @returns false where this site cannot ask */
async function leaveForPayer(order: string): Promise<boolean> {
  const { wechat_jsapi: payer } = await queries.ensureQueryData(websiteQuery).catch(() => ({ wechat_jsapi: null }))
  if (payer) location.assign(payerAddress(payer, order))
  return payer !== null
}

const isUnknownPayer = (error: unknown): boolean => error instanceof CallError && error.code === unknownPayer
