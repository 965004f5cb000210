import { byMarket, type MarketId } from '@convexa/contract/enums/market'
import { productName } from '@convexa/contract/product'
import type { Website } from '@convexa/contract/system'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fingerprint } from '../state/fingerprint.ts'
import { websiteQuery } from './queries.ts'

/** The specification's site state: copyright, beian and icp of this installation, and the fingerprint of this browser. */
export interface Site extends Website {
  fingerprint: string
}

/** Texts and features of this installation; until they are here, what is always true. */
export function useSite(): Site {
  const website = useQuery(websiteQuery).data ?? nothingYet
  return useMemo(() => ({ ...website, fingerprint: fingerprint() }), [website])
}

const nothingYet: Website = {
  name: productName,
  copyright: productName,
  icp: '',
  beian: '',
  contact: '',
  maintenance: null,
  data_mode: byMarket(() => null),
  data_version: byMarket(() => null),
  wechat_web: null,
  wechat_jsapi: null,
  features: {
    demo_login: null,
    wechat_login: false,
    wechat_pay: false,
    sms: false,
    email: false,
    ios_virtual_pay: false,
    live_quotes: false,
    share: false,
  },
}

export const useIsDemo = (kind: MarketId): boolean => useSite().data_mode[kind] === 'demo'

/** 2022–{year}: the specification's first year. */
export const copyrightYears = (year: number): string => `2022–${year}`
