/** A text that is cut where the cell ends, whole on hover. */
export const PlainCell = ({ text, exact }: { text: string; exact?: string }) => (
  <span className="truncate" title={exact ?? text}>
    {text}
  </span>
)
