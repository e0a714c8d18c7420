-- expect: error, in: view
return { "\xff\xfe" }
