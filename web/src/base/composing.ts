/**
 * Whether a key belongs to an input method. Safari, and some input methods of Windows, end the composition before they send the key that ended
 * it: only its code, 229, tells what it is (UI Events, 5.3.3).
 */
export const isComposing = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === 229
