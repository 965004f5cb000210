/** As texts are compared with what was typed: ＡＢＣ１２３ is abc123, 万  科Ａ is 万科a. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')
