// Detects elements in which keys write text.

/** Types of inputs without editable text, such as a checkbox. */
const WITHOUT_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/

/** Whether the element has editable text, or finds its options by typed letters. */
export const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !WITHOUT_TEXT.test(target.type)))
