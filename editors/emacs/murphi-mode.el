;;; murphi-mode.el --- Murphi models, by the language server of mcc  -*- lexical-binding: t -*-

;;; Commentary:
;; Needs Emacs 29 or newer, whose eglot speaks to the server; or Emacs 28 with the package eglot.
;; `M-x eglot' starts it; `(add-hook 'murphi-mode-hook #'eglot-ensure)' starts it with each model.

;;; Code:

(defvar murphi-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?- ". 12b" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?/ ". 14" table)
    (modify-syntax-entry ?* ". 23" table)
    table)
  "Comments are `-- …' and `/* … */'.")

(defconst murphi-mode-keywords
  '("alias" "always" "array" "assert" "assume" "begin" "by" "case" "choose" "clear" "const"
    "cover" "deadlock" "do" "else" "elsif" "end" "endalias" "endchoose" "endexist" "endexists"
    "endfor" "endforall" "endfunction" "endif" "endprocedure" "endrecord" "endrule"
    "endruleset" "endstartstate" "endswitch" "endwhile" "enum" "error" "eventually" "exists"
    "externfun" "externproc" "fair" "fired" "for" "forall" "function" "if" "invariant"
    "ismember" "isundefined" "leadsto" "liveness" "ltl" "multiset" "multisetadd"
    "multisetcount" "multisetremove" "multisetremovepred" "next" "of" "pctl" "procedure" "put"
    "real" "record" "reject" "release" "return" "rule" "ruleset" "scalarset" "startstate"
    "strong" "switch" "then" "to" "type" "undefine" "union" "until" "var" "weakuntil" "while")
  "The words of the language, in any case.")

(defvar murphi-mode-font-lock
  `((,(regexp-opt murphi-mode-keywords 'words) . font-lock-keyword-face)
    (,(regexp-opt '("true" "false" "undefined") 'words) . font-lock-constant-face)
    ("\\<boolean\\>" . font-lock-type-face))
  "How models are highlighted.")

;;;###autoload
(define-derived-mode murphi-mode prog-mode "Murphi"
  "Major mode for Murphi models."
  (setq-local font-lock-defaults '(murphi-mode-font-lock nil t))
  (setq-local comment-start "-- ")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.m\\(urphi\\)?\\'" . murphi-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(murphi-mode . ("mcc" "lsp"))))

(provide 'murphi-mode)
;;; murphi-mode.el ends here
