// An email address, phone number or URL: a link, with a button that copies it.
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import classes from './cell.module.css'

const COPIED_MS = 1500

interface LinkCellProps {
  href: string
  text: string
  /** Names the copied content. */
  copied: string
  /** Absent: the browser's default. */
  target?: '_blank'
}

export function LinkCell({ href, text, copied, target }: LinkCellProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(copied)
    setCopied(true)
    setTimeout(setCopied, COPIED_MS, false)
  }
  const Icon = isCopied ? Check : Copy
  const label = isCopied ? 'Copied' : `Copy ${copied}`
  return (
    <>
      <a
        className="truncate underlined"
        href={href}
        target={target}
        rel="noopener noreferrer"
        title={copied}
        tabIndex={-1}
      >
        {text}
      </a>
      <button
        type="button"
        className={classes.button}
        onClick={() => void copy()}
        aria-label={label}
        title={label}
        tabIndex={-1}
      >
        <Icon size={13} aria-hidden />
      </button>
    </>
  )
}
