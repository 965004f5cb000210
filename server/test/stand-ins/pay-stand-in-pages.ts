import type { Booked } from './pay-stand-in-book.ts'

// What a hand sees of the stand-in: in place of a phone that scans, a page with a button.

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
const yuan = (fen: number): string => `¥${(fen / 100).toFixed(2)}`
const states = { NOTPAY: '待支付', SUCCESS: '已支付', CLOSED: '已关闭', REFUND: '已退款' } as const

const page = (
  body: string,
): string => `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>微信支付（本地替身）</title>
<style>body{font:14px/1.6 sans-serif;text-align:center;margin:24px;color:#333}table{margin:auto;border-spacing:12px 4px}td{text-align:left}
button{font:inherit;padding:6px 14px;border:1px solid #07c160;border-radius:4px;background:#07c160;color:#fff}small{color:#666}</style>
<h1>微信支付</h1>${body}<p><small>本地替身：没有真正的微信，也没有真正的钱。</small></p></html>`

/** Of what is closed the money may come all the same: the bank was slow. */
const button = ({ token, state }: Booked): string =>
  state === 'NOTPAY' || state === 'CLOSED'
    ? `<form method="post" action="/scan"><input type="hidden" name="pr" value="${token}"><button>${state === 'CLOSED' ? '迟到的付款' : '确认支付'}</button></form>`
    : ''

export const scanPage = (trade: Booked): string =>
  page(`<p>${escaped(trade.description)}</p><p><strong>${yuan(trade.total)}</strong></p>
${trade.state === 'NOTPAY' ? '' : `<p role="status">${states[trade.state]}</p>`}${button(trade)}`)

export const paidPage = (paid: boolean): string => page(`<p role="status">${paid ? '支付成功' : '订单不存在、已支付或已关闭'}</p>`)

export const listPage = (trades: readonly Booked[]): string =>
  page(
    trades.length === 0
      ? '<p>还没有订单</p>'
      : `<table>${[...trades]
          .reverse()
          .map(
            (trade) =>
              `<tr><td>${escaped(trade.description)}</td><td>${yuan(trade.total)}</td><td>${states[trade.state]}</td><td>${button(trade)}</td></tr>`,
          )
          .join('')}</table>`,
  )
