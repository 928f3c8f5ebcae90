// Where what is typed is a text.

/** Types of inputs in which no text is edited, such as those of a switch. */
const WITHOUT_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/

/** Whether a text is edited there, or an option of a list is found by its letters. */
export const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !WITHOUT_TEXT.test(target.type)))
