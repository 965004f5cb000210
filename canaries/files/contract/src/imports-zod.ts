// allowed: the contract is written in zod
import { z } from 'zod'

export const Name = z.string()
