import { later } from '../../ui/later.tsx'

export const AttributePicker = later(async () => (await import('./attribute-picker.tsx')).AttributePicker)
