// allowed: instant ranking in the browser
import { screen } from '@convexa/engine/screen'

export const rank = screen
