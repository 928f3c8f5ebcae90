// Typed text in pickers without a chosen option. Such text blocks sending: before a form is submitted or an editor
// saves, each picker takes the only option that its text can mean, or refuses the text.

/** The reason why the text was refused, as a sentence. undefined: it was accepted, or there was no text. */
export type Refusal = string | undefined

type Settle = () => Refusal | Promise<Refusal>

const pickers = new Map<HTMLInputElement, Settle>()

/** @returns a function that removes the text */
export function addOpenText(field: HTMLInputElement, settle: Settle): () => void {
  pickers.set(field, settle)
  return () => void pickers.delete(field)
}

const openIn = (box: Element) => [...pickers].filter(([field]) => box.contains(field))

/** The field of the first picker in the box with open text. */
export const openFieldIn = (box: Element): HTMLInputElement | undefined => openIn(box)[0]?.[0]

/** Settles each picker in the box. @returns the first refusal; a promise while the service is still searching */
export function settleWithin(box: Element): Refusal | Promise<Refusal> {
  const answers = openIn(box).map(([, settle]) => settle())
  const first = (refusals: readonly Refusal[]) => refusals.find((one) => one !== undefined)
  const known = answers.filter((one): one is Refusal => !(one instanceof Promise))
  return known.length === answers.length ? first(known) : Promise.all(answers).then(first)
}

/** Forms whose pickers are being settled. */
const asked = new WeakSet<HTMLFormElement>()

async function submitSettled(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  asked.add(form)
  await settleWithin(form)
  asked.delete(form)
  const open = openFieldIn(form)
  if (open) open.focus()
  else form.requestSubmit(submitter)
}

function onSubmit(event: SubmitEvent): void {
  const { target: form } = event
  if (!(form instanceof HTMLFormElement) || openIn(form).length === 0) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (!asked.has(form)) void submitSettled(form, event.submitter)
}

/** Called once, when the page starts: it must run before the handlers of the forms. */
export function watchOpenTexts(): void {
  window.addEventListener('submit', onSubmit, true)
}
