// Enter in forms. Ctrl+Enter (⌘ Enter) submits from any field. Plain Enter never submits from a list of choices or in a
// form with `data-submit="explicit"`.

const isPicker = (field: Element) => field.getAttribute('aria-haspopup') === 'listbox'

const submitButton = (form: HTMLFormElement) =>
  [...form.elements].find(
    (one): one is HTMLButtonElement => one instanceof HTMLButtonElement && one.type === 'submit',
  )

export function submitByKey(form: HTMLFormElement): void {
  const button = submitButton(form)
  if (!button?.disabled) form.requestSubmit(button)
}

function onKeyDown(event: KeyboardEvent): void {
  const { target, key, isComposing } = event
  if (key !== 'Enter' || isComposing || !(target instanceof Element)) return
  const form = target.closest('form')
  if (!form) return
  const isKept = isPicker(target) || (form.dataset['submit'] === 'explicit' && target.matches('input'))
  if ((event.ctrlKey || event.metaKey) && (isPicker(target) || !event.defaultPrevented)) {
    event.preventDefault()
    submitByKey(form)
  } else if (isKept) event.preventDefault()
}

/** Called once, when the page starts: it must run after the handlers of the fields. */
export function watchFormKeys(): void {
  document.addEventListener('keydown', onKeyDown)
}
